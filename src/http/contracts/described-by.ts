/** A response header that names the contract of its body (RFC 8288, relation `describedby`). */
export function describedBy(schema: { readonly $id?: string }): Record<'link', string> {
  return { link: `</contracts/${schema.$id}>; rel="describedby"` }
}
