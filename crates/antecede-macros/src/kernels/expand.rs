//! From a checked module to Rust. Everything generated has the macro's own hygiene and absolute paths; everything of
//! the user's keeps its place, so that errors underline the declaration.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::arithmetic::Int;
use super::check::{Kernel, Module};
use super::document;
use super::launch::{DEFAULT_BLOCK, Launch, MAX_BLOCK};
use super::types::{Param, ParamKind};

/// The struct, its declaration as a module, and one method for each kernel.
pub(super) fn module(module: &Module) -> TokenStream {
    let Module { outer, cfgs, vis, name, device, .. } = module;
    let text = name.unraw().to_string();
    let ptx = match &module.ptx {
        Some(path) => quote_spanned!(at(path)=> ::core::option::Option::Some(::core::include_str!(#path))),
        None => quote_spanned!(Span::mixed_site()=> ::core::option::Option::None),
    };
    let twins = module.kernels.iter().map(twin);
    let blocks = module.kernels.iter().filter_map(block_assertion);
    let declarations = module.kernels.iter().map(declaration);
    let methods = module.kernels.iter().enumerate().map(|(index, kernel)| method(module, index, kernel));
    let undocumented = !outer.iter().any(|attr| attr.path().is_ident("doc"));
    let doc = undocumented.then(|| {
        let line = format!("The kernels of module `{text}`, loaded.");
        quote_spanned!(Span::mixed_site()=> #[doc = #line])
    });
    quote_spanned! {Span::mixed_site()=>
        #(#cfgs)*
        #(#outer)*
        #doc
        #vis struct #name<#device = ::antecede::Primary> {
            module: ::antecede::__private::Module<#name<::antecede::Primary>, #device>,
        }

        #(#cfgs)*
        #[automatically_derived]
        impl<#device> ::core::clone::Clone for #name<#device> {
            fn clone(&self) -> Self {
                *self
            }
        }

        #(#cfgs)*
        #[automatically_derived]
        impl<#device> ::core::marker::Copy for #name<#device> {}

        #(#cfgs)*
        #[automatically_derived]
        impl<#device> ::core::fmt::Debug for #name<#device> {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Formatter::write_str(f, #text)
            }
        }

        // SAFETY: whoever wrote `unsafe fn` over each kernel promised it.
        #(#cfgs)*
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks)]
        unsafe impl ::antecede::Kernels for #name<::antecede::Primary> {
            type Loaded<#device> = #name<#device>;

            const DECL: &'static ::antecede::driver::ModuleDecl = {
                #(#twins)*
                #(#blocks)*
                &::antecede::driver::ModuleDecl { name: #text, ptx: #ptx, kernels: &[#(#declarations),*] }
            };

            unsafe fn loaded<#device>(module: ::antecede::__private::Module<Self, #device>) -> #name<#device> {
                #name { module }
            }
        }

        #(#cfgs)*
        impl<#device> #name<#device> {
            #(#methods)*
        }
    }
}

/// Generated code that is underlined where `place` stands, if something about it is wrong.
fn at(place: &impl Spanned) -> Span {
    Span::mixed_site().located_at(place.span())
}

/// The name of a twin's function. Items are not hygienic: the body must not meet it by chance.
fn twin_name(kernel: &Kernel) -> Ident {
    format_ident!("__antecede_twin_{}", kernel.name.unraw(), span = Span::mixed_site())
}

/// The host twin. The user's body is a safe function of its own: `return` leaves it, and it may do nothing unsafe
/// without saying so.
fn twin(kernel: &Kernel) -> TokenStream {
    let Kernel { twin: attrs, body, .. } = kernel;
    let (unpacker, inner) = (twin_name(kernel), format_ident!("__antecede_body", span = Span::mixed_site()));
    let params = kernel
        .params
        .iter()
        .map(|Param { name, ty, .. }| quote_spanned!(Span::mixed_site()=> #[allow(unused_variables)] #name: #ty));
    let mut slices = 0usize;
    let args = kernel.params.iter().enumerate().map(|(index, param)| {
        let (method, ty, place) = match &param.kind {
            ParamKind::Scalar(ty) => ("scalar", ty, index),
            ParamKind::Slice { write, element, .. } => {
                slices += 1;
                (if *write { "slice_mut" } else { "slice" }, element, slices - 1)
            }
        };
        let (method, place) = (Ident::new(method, at(ty)), Literal::usize_unsuffixed(place));
        quote_spanned!(at(ty)=> args.#method::<#ty>(#place))
    });
    quote_spanned! {Span::mixed_site()=>
        unsafe fn #unpacker(args: &::antecede::driver::TwinArgs<'_>) {
            #(#attrs)*
            #[allow(clippy::too_many_arguments)]
            fn #inner(#(#params),*) #body
            let _ = args;
            unsafe { #inner(#(#args),*) }
        }
    }
}

fn declaration(kernel: &Kernel) -> TokenStream {
    let (name, entry, twin) = (kernel.name.unraw().to_string(), kernel.entry.value(), twin_name(kernel));
    let params = kernel.params.iter().map(|param| {
        let name = param.name.unraw().to_string();
        let kind = match &param.kind {
            ParamKind::Scalar(ty) => quote_spanned!(Span::mixed_site()=> Scalar { bytes: ::core::mem::size_of::<#ty>() }),
            ParamKind::Slice { write: false, element, .. } => quote_spanned!(Span::mixed_site()=> Read { element: ::core::mem::size_of::<#element>() }),
            ParamKind::Slice { write: true, element, .. } => quote_spanned!(Span::mixed_site()=> Write { element: ::core::mem::size_of::<#element>() }),
        };
        quote_spanned!(Span::mixed_site()=> ::antecede::driver::ParamDecl { name: #name, kind: ::antecede::driver::ParamKind::#kind })
    });
    quote_spanned! {Span::mixed_site()=>
        ::antecede::driver::KernelDecl { name: #name, entry: #entry, params: &[#(#params),*], twin: #twin }
    }
}

fn method(module: &Module, index: usize, kernel: &Kernel) -> TokenStream {
    let Module { vis, device, stream, .. } = module;
    let Kernel { method: attrs, name, .. } = kernel;
    let params = kernel.params.iter().map(|param| method_param(module, param));
    let docs = document::lines(kernel);
    let (module_text, text) = (module.name.unraw().to_string(), name.unraw().to_string());
    let contract = kernel.contract.iter().map(|clause| {
        let clause_text = clause.to_string();
        quote_spanned! {Span::mixed_site()=>
            if !::core::matches!(#clause, ::core::option::Option::Some(true)) {
                return ::core::result::Result::Err(::antecede::__private::contract_violated(#module_text, #text, #clause_text));
            }
        }
    });
    let geometry = geometry(kernel);
    let index = Literal::usize_unsuffixed(index);
    let (accesses, pointers) = (accesses(kernel), pointers(kernel));
    let count = Literal::usize_unsuffixed(accesses.len());
    let launch = format_ident!("__antecede_launch", span = Span::mixed_site());
    let (inner, arguments) = (kernel.params.iter().map(inner_param), kernel.params.iter().map(argument));
    quote_spanned! {Span::mixed_site()=>
        #(#attrs)*
        #(#[doc = #docs])*
        #[allow(unsafe_code, clippy::undocumented_unsafe_blocks, clippy::too_many_arguments)]
        #vis fn #name<#stream>(
            &self,
            stream: ::antecede::Stream<#stream, #device>,
            #(#params),*
        ) -> ::antecede::Result<()> {
            // The same for every stream: compiled once, and not once a stream.
            #[inline(never)]
            unsafe fn #launch(launcher: ::antecede::__private::Launcher, #(#inner),*) -> ::antecede::Result<()> {
                #(#contract)*
                #geometry
                let accesses: [::antecede::driver::Access; #count] = [#(#accesses),*];
                unsafe { launcher.launch(#index, geometry, &[#(#pointers),*], &accesses) }
            }
            // SAFETY: the parameters and accesses are those of the declaration, the views are ready on this stream,
            // which is there as its module is, and the contract is asked.
            unsafe { #launch(self.module.on(stream), #(#arguments),*) }
        }
    }
}

/// A parameter of the function that launches.
fn inner_param(param: &Param) -> TokenStream {
    let name = &param.name;
    match &param.kind {
        ParamKind::Scalar(ty) => quote_spanned!(Span::mixed_site()=> #name: #ty),
        ParamKind::Slice { .. } => quote_spanned!(Span::mixed_site()=> #name: ::antecede::__private::Argument),
    }
}

/// What that is called with.
fn argument(param: &Param) -> TokenStream {
    let name = &param.name;
    match &param.kind {
        ParamKind::Scalar(_) => quote_spanned!(Span::mixed_site()=> #name),
        ParamKind::Slice { write: false, element, .. } => {
            quote_spanned!(at(element)=> ::antecede::__private::read_argument::<#element, _>(#name))
        }
        ParamKind::Slice { write: true, element, .. } => {
            quote_spanned!(at(element)=> ::antecede::__private::write_argument::<#element, _>(#name))
        }
    }
}

fn method_param(module: &Module, param: &Param) -> TokenStream {
    let Module { device, stream, .. } = module;
    let name = &param.name;
    match &param.kind {
        ParamKind::Scalar(ty) => quote_spanned!(Span::mixed_site()=> #name: #ty),
        ParamKind::Slice { write, element, ends: (first, last) } => {
            let mutable = write.then(|| quote_spanned!(Span::mixed_site()=> mut));
            // The bound begins and ends where the user's type does: "required by this bound" underlines it.
            let start = quote_spanned!(*first=> ::antecede::ReadyOn<);
            let end = quote_spanned!(*last=> >);
            quote_spanned!(Span::mixed_site()=> #name: &#mutable ::antecede::View<#element, impl #start #stream, #device #end>)
        }
    }
}

/// Binds `geometry`, or returns when there are no threads.
fn geometry(kernel: &Kernel) -> TokenStream {
    let here = Span::mixed_site();
    let geometry = match &kernel.launch {
        Launch::Longest => {
            let block = Literal::i128_unsuffixed(DEFAULT_BLOCK);
            let slices = kernel.params.iter().filter(|param| matches!(param.kind, ParamKind::Slice { .. }));
            let lens = slices.map(|param| Int::Len(param.name.clone()).to_token_stream());
            let longest = lens.reduce(|a, b| quote_spanned!(here=> ::core::cmp::Ord::max(#a, #b)));
            quote_spanned!(here=> ::antecede::__private::geometry_for_threads(#longest, #block, 0))
        }
        Launch::Threads { threads, block, shared } => {
            let block = fixed_block(block);
            let plain = quote_spanned!(here=> ::antecede::__private::geometry_for_threads(#threads, #block, 0));
            match shared {
                None => plain,
                Some(bytes) => quote_spanned!(here=> match #plain {
                    ::core::result::Result::Ok(::core::option::Option::Some(plain)) => ::antecede::__private::geometry(
                        plain.grid.map(|size| ::core::option::Option::Some(::core::convert::From::from(size))),
                        plain.block.map(|size| ::core::option::Option::Some(::core::convert::From::from(size))),
                        #bytes
                    ),
                    empty => empty,
                }),
            }
        }
        Launch::Grid { grid, block, shared } => {
            let one = Int::Literal(1, String::new());
            let fill = |sizes: &[Int]| -> Vec<TokenStream> {
                sizes.iter().chain(std::iter::repeat(&one)).take(3).map(ToTokens::to_token_stream).collect()
            };
            let none = Int::Literal(0, String::new());
            let (grid, block, shared) = (fill(grid), fill(block), shared.as_ref().unwrap_or(&none));
            quote_spanned!(here=> ::antecede::__private::geometry([#(#grid),*], [#(#block),*], #shared))
        }
    };
    quote_spanned! {here=>
        let ::core::option::Option::Some(geometry) = #geometry? else { return ::core::result::Result::Ok(()); };
    }
}

/// The threads of a block as a `u32`.
fn fixed_block(block: &Int) -> TokenStream {
    match block {
        Int::Literal(value, _) => Literal::i128_unsuffixed(*value).to_token_stream(),
        Int::Const(path) => {
            quote_spanned!(at(path)=> { #[allow(clippy::cast_possible_truncation)] { #path as ::core::primitive::u32 } })
        }
        other => other.to_token_stream(),
    }
}

/// What is known of a constant block, asserted where it is evaluated with the declaration and not with each launch.
fn block_assertion(kernel: &Kernel) -> Option<TokenStream> {
    let Launch::Threads { block: Int::Const(path), .. } = &kernel.launch else { return None };
    let (most, message) = (Literal::i128_unsuffixed(MAX_BLOCK), format!("a block has 1 to {MAX_BLOCK} threads"));
    // `& !0` leaves an integer as it is and takes no float.
    Some(quote_spanned! {at(path)=>
        const _: () = {
            let block = (#path & !0) as ::core::primitive::i128;
            ::core::assert!(1 <= block && block <= #most, #message);
        };
    })
}

fn accesses(kernel: &Kernel) -> Vec<TokenStream> {
    let access = |param: &Param| {
        let name = &param.name;
        let slice = matches!(param.kind, ParamKind::Slice { .. });
        slice.then(|| quote_spanned!(Span::mixed_site()=> #name.access))
    };
    kernel.params.iter().filter_map(access).collect()
}

/// One pointer for each parameter: to the scalar, or to the address in its access.
fn pointers(kernel: &Kernel) -> Vec<TokenStream> {
    let mut slices = 0usize;
    let pointer = |param: &Param| {
        let name = &param.name;
        match &param.kind {
            ParamKind::Scalar(ty) => {
                quote_spanned!(at(ty)=> ::antecede::__private::scalar_param::<#ty>(&#name))
            }
            ParamKind::Slice { .. } => {
                let place = Literal::usize_unsuffixed(slices);
                slices += 1;
                quote_spanned!(Span::mixed_site()=> ::antecede::__private::slice_param(&accesses[#place]))
            }
        }
    };
    kernel.params.iter().map(pointer).collect()
}
