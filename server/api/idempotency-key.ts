/** The header that names a message or an answer, so that a retry is the same one. */
export const keyHeader = 'Idempotency-Key'

export const isWellFormedKey = (key: string): boolean => /^[\x21-\x7e]{1,200}$/.test(key)

/** The header in the OpenAPI document. `named`: what the key names. */
export const keyParameter = (named: string, required: boolean) => ({
  name: keyHeader,
  in: 'header' as const,
  required,
  description: `Names this ${named}, up to 200 visible ASCII characters; a retry carries the same key`,
  schema: { type: 'string' as const },
})
