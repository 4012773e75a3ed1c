/** A parsed `fields` parameter, such as `a,b.limit(20){c,d}`. */
export type Fields = Map<string, { limit: number | null; fields: Fields | null }>

/** Throws SyntaxError if the braces do not match. */
export function parseFields(text: string): Fields {
  let at = 0
  const parse = (nested: boolean): Fields => {
    const fields: Fields = new Map()
    while (at < text.length) {
      if (text[at] === '}') {
        if (!nested) throw new SyntaxError('an unexpected }')
        return fields
      }
      if (text[at] === ',' || text[at] === ' ') {
        at++
        continue
      }
      const [head = '', name = '', limit] = /^(\w+)(?:\.limit\((\d+)\))?/.exec(text.slice(at)) ?? []
      if (head === '') throw new SyntaxError(`an unexpected ${text[at]}`)
      at += head.length
      let inner: Fields | null = null
      if (text[at] === '{') {
        at++
        inner = parse(true)
        if (text[at] !== '}') throw new SyntaxError('a missing }')
        at++
      }
      fields.set(name, { limit: limit === undefined ? null : Number(limit), fields: inner })
    }
    return fields
  }
  return parse(false)
}

/** Returns the requested fields and the id, which the network always includes. */
export function pickFields(value: Record<string, unknown>, fields: Fields): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const [name, { fields: inner }] of fields) {
    if (!(name in value) || value[name] === undefined) continue
    picked[name] = inner === null ? value[name] : pickWithin(value[name], inner)
  }
  if ('id' in value) picked['id'] = value['id']
  return picked
}

function pickWithin(value: unknown, fields: Fields): unknown {
  if (typeof value !== 'object' || value === null) return value
  if ('data' in value && Array.isArray(value.data)) {
    return { ...value, data: value.data.map((item) => pickWithin(item, fields)) }
  }
  return pickFields({ ...value }, fields)
}
