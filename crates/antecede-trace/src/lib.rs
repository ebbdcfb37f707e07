//! A driver around any driver: logs calls, counts them, and judges races
