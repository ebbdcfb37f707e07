use super::*;

/// Each entry as `name[sizes]`.
fn heads(ptx: &str) -> Vec<String> {
    let entries = entries(ptx).expect("the text can be read");
    entries.iter().map(|entry| format!("{}{:?}", entry.name, entry.params)).collect()
}

fn refusal(ptx: &str) -> String {
    entries(ptx).expect_err("the text cannot be read").to_string()
}

#[test]
fn every_fundamental_type_has_its_size() {
    for (types, bytes) in [
        (".u8 .s8 .b8", 1),
        (".u16 .s16 .b16 .f16 .bf16", 2),
        (".u32 .s32 .b32 .f32 .f16x2 .bf16x2", 4),
        (".u64 .s64 .b64 .f64", 8),
        (".b128", 16),
    ] {
        for name in types.split(' ') {
            assert_eq!(heads(&format!(".entry k(.param {name} p) {{ ret; }}")), [format!("k[{bytes}]")]);
        }
    }
}

#[test]
fn alignment_arrays_vectors_and_pointer_attributes() {
    let ptx = "
        .visible .entry k(
            .param .align 8 .b8 by_value[24],
            .param .u64 .ptr .global .align 16 out,
            .param .u32 .align 4 n,
            .param .v4 .f32 v,
            .param .b16 grid[2][3],
            .param .b8 hex[0x10],
            .param .b8 octal[010U]
        )
        .maxntid 128, 1, 1
        .minnctapersm 2
        { ret; }";
    assert_eq!(heads(ptx), ["k[24, 8, 4, 16, 12, 16, 8]"]);
}

#[test]
fn entries_are_found_between_other_things() {
    let ptx = "
        .version 8.1
        .target sm_70
        .address_size 64
        // .entry in_a_comment(.param .u32 p) { }
        /* .entry in_another(
           { */
        .file 1 \"odd } name.cu\"
        .global .align 4 .b8 table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        .func (.param .b32 r) helper(.param .b64 a) { { ret; } }
        .visible .entry first(.param .u32 first_param_0)
        {
            .reg .b32 %r<3>;
            { ld.param.u32 %r1, [first_param_0]; }
            .pragma \"nounroll }\";
            ret;
        }
        .weak .entry second() { ret; }
        .entry third { ret; }
        .extern .entry elsewhere(.param .u32 p);
        .section .debug_str { .b8 46, 101 }
        .entry last(.param.u64.ptr.global p) .reqntid 32 { ret; }";
    assert_eq!(heads(ptx), ["first[4]", "second[]", "third[]", "last[8]"]);
}

#[test]
fn inside_braces_there_are_no_entries() {
    assert_eq!(heads(".entry outer { { ret; } .entry inner { } } .entry next { }"), ["outer[]", "next[]"]);
    assert_eq!(heads(".func f { .entry inner { } } .entry next { }"), ["next[]"]);
}

#[test]
fn no_text_no_entries() {
    assert_eq!(heads(""), [""; 0]);
    assert_eq!(heads("} } .version 8.1"), [""; 0]);
}

#[test]
fn types_without_plain_bytes_are_refused() {
    for name in [".pred", ".texref", ".samplerref", ".surfref", ".u128", ".tf32"] {
        let message = refusal(&format!(".entry k(.param {name} p) {{ }}"));
        let expected =
            format!("the head of `.entry k` cannot be read: `{name}` where a type of known size was expected");
        assert_eq!(message, expected);
    }
}

#[test]
fn broken_heads_are_refused() {
    for (ptx, found, expected) in [
        (".entry", "nothing", "a name"),
        (".entry .visible", "`.visible`", "a name"),
        (".entry k(", "nothing", "`.param`"),
        (".entry k(.reg .u32 p) { }", "`.reg`", "`.param`"),
        (".entry k(.param p) { }", "nothing", "the parameter's type"),
        (".entry k(.param .u32) { }", "`)`", "the parameter's name"),
        (".entry k(.param .u32 .u64 p) { }", "`.u64`", "the parameter's name"),
        (".entry k(.param .u32 p q) { }", "`q`", "`,` or `)`"),
        (".entry k(.param .b8 p[]) { }", "`]`", "a number"),
        (".entry k(.param .b8 p[n]) { }", "`n`", "a number"),
        (".entry k(.param .b8 p[4) { }", "`)`", "`]`"),
        (".entry k(.param .b8 p[2 * 3]) { }", "`*`", "`]`"),
        (".entry k(.param .b64 p[0xFFFFFFFFFFFFFFFF]) { }", "nothing", "an array that fits in memory"),
        (".entry k(.param .u32 p,) { }", "`)`", "`.param`"),
        (".entry k(.param .u32 p)", "nothing", "`{` or `;`"),
    ] {
        let message = refusal(ptx);
        assert!(message.ends_with(&format!("{found} where {expected} was expected")), "{ptx}: {message}");
    }
}

#[test]
fn the_committed_ptx_has_these_entries() {
    for (ptx, expected) in [
        (
            include_str!("../../../../kernels/math.ptx"),
            &["saxpy[4, 4, 8, 8]", "scale[4, 4, 8, 8]", "increment[4, 8]"][..],
        ),
        (include_str!("../../../../kernels/pattern.ptx"), &["fill_pattern[4, 4, 8]", "verify_pattern[4, 4, 8, 8]"]),
        (include_str!("../../../../kernels/histogram.ptx"), &["histogram[4, 8, 8]"]),
        (include_str!("../../../../kernels/chacha20.ptx"), &["chacha20[4, 8, 4, 8, 8]"]),
        (include_str!("../../../../kernels/busy.ptx"), &["burn[8, 8]"]),
    ] {
        assert_eq!(heads(ptx), expected);
    }
}
