/**
 * Defines which parts of machine state may be shown. All texts are masked except those listed here: passwords, tokens,
 * messages, names, addresses and all fields added later. A masked text keeps its length, and equal texts get the same
 * number, so that guards on emptiness, length and equality behave as before.
 */

const secretKey = /password|token|secret|authorization|apikey/i
/** Always masked, even if the same text is an id elsewhere. */
const wordsOfPeople = /text|message$|body|response|title|search|term|e-?mail|phone|name|address|url|pic|draft$|error$/i
const idKey = /^(id|key|psid)$|(_id|Id|_ids|Ids|_psid|Psid|_key|Key|_number)$/
const id = /^[\w.:=+/-]{1,200}(, [\w.:=+/-]{1,200})*$/
/** Values from a small fixed set that is defined in the code. */
const wordKey =
  /(^|_)(type|kind|status|direction|platform|role|permissions?|requiredPermissions?|missingPermissions|method|code|channel|classification|state|depth|from|to|reason|view|device|outcome)$/
const word = /^[A-Za-z][\w.:-]{0,60}$/
const path = /^\/[\w./:%~-]*$/
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/
/** Numbers that say where a person is. */
const placeKey = /^l(atitude|ongitude)$/
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/
const propertyName = /^[\w.:-]{1,100}$/
/** Parts of a name also occur elsewhere: first name, last name, the list of a person's pages. */
const isName = (key: string) => /name/i.test(key)
/** The at sign is kept, because guards accept only valid email addresses. */
const isEmail = (key: string) => /e-?mail$/i.test(key)

/** A part of a masked text: a separator unchanged, any other part as `[number, length]`. */
export type MaskedPart = string | readonly [number: number, length: number]

/** Exceptions to the rules above: names to show (in fields called `name`), and fields with numbers that staff type. */
export type Shown = { names: readonly string[]; numbers: readonly string[] }

/** Masks the values of one recording or of one run. Equal texts get the same mask in all of them. */
export function createRedactor(shown: Shown) {
  const ids = new Set<string>()
  const secrets = new Set<string>()
  const numbers = new Map<string, number>()

  const isSecret = (key: string, text: string) =>
    (secretKey.test(key) && !moment.test(text)) || jsonWebToken.test(text) || secrets.has(text)

  const isShown = (key: string, text: string): boolean => {
    if (text.trim() === '' || moment.test(text)) return true
    if (wordKey.test(key) && word.test(text)) return true
    if (key === 'name' && shown.names.includes(text)) return true
    if (key === 'path' && path.test(text)) return true
    if (shown.numbers.includes(key) && /^\d{1,4}$/.test(text)) return true
    return ids.has(text) && !wordsOfPeople.test(key)
  }

  const part = (text: string): MaskedPart => {
    if (text.trim() === '' || text === '@' || /^,\s+$/.test(text)) return text
    const number = numbers.get(text) ?? numbers.size + 1
    numbers.set(text, number)
    return [number, text.length]
  }

  const masked = (key: string, text: string): MaskedPart[] => {
    const separator = isName(key) ? /(,?\s+)/ : isEmail(key) ? /(@|\s+)/ : /^(\s+)|(\s+)$/
    const pieces = text.split(separator)
    return pieces.filter((piece) => piece !== undefined && piece !== '').map(part)
  }

  function learn(value: unknown, key = '', seen = new Set<unknown>()): void {
    if (typeof value === 'string') {
      if (value.trim() === '') return
      if (isSecret(key, value)) secrets.add(value)
      else if (idKey.test(key) && id.test(value)) for (const each of [value, ...value.split(', ')]) ids.add(each)
      return
    }
    if (typeof value !== 'object' || value === null || seen.has(value) || isActor(value) || isMachine(value)) return
    seen.add(value)
    if (Array.isArray(value) || value instanceof Set) for (const item of value) learn(item, key, seen)
    else if (value instanceof Map) for (const item of value.values()) learn(item, key, seen)
    else if (isSnapshot(value)) learn(value.context, key, seen)
    else for (const [name, inner] of Object.entries(value)) learn(inner, name, seen)
  }

  function redact(value: unknown, key = '', within: ReadonlySet<unknown> = new Set()): unknown {
    if (typeof value === 'string') {
      if (isSecret(key, value) && value.trim() !== '') return { $secret: true }
      return isShown(key, value) ? value : { $text: masked(key, value) }
    }
    if (typeof value === 'function') return { $function: key }
    if (value === undefined) return { $undefined: true }
    if (typeof value === 'number' && placeKey.test(key)) return 0
    // JSON cannot represent these numbers.
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
    if (typeof value !== 'object' || value === null) return value
    if (isActor(value)) return { $actor: value.id }
    if (isMachine(value)) return { $machine: value.id }
    if (within.has(value)) return { $circle: true }
    const deeper = new Set([...within, value])
    const inner = (item: unknown, name = key) => redact(item, name, deeper)
    if (Array.isArray(value)) return value.map((item) => inner(item))
    if (value instanceof Set) return { $set: Array.from(value, (item) => inner(item)) }
    if (value instanceof Map) return { $map: Array.from(value, ([name, item]) => [inner(name, ''), inner(item)]) }
    if (isSnapshot(value)) {
      const { machine, value: state, status, context } = value
      return { $snapshot: { machine: machine.id, value: state, status, context: inner(context) } }
    }
    if (value instanceof Error) {
      const { message, ...facts } = value
      return { $error: { ...entriesOf({ ...facts, message }, inner), name: value.name } }
    }
    const kind = Object.getPrototypeOf(value)?.constructor?.name ?? 'Object'
    return kind === 'Object' ? entriesOf(value, inner) : { $other: kind }
  }

  const entriesOf = (value: object, inner: (item: unknown, name: string) => unknown) =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, item]) =>
        item === undefined ? [] : [[propertyName.test(name) ? name : `…${part(name)}`, inner(item, name)]],
      ),
    )

  return {
    /**
     * Collects the texts that are ids or secrets, so that they are recognised in all fields. Call it before `redact`.
     */
    learn: (value: unknown, key?: string) => learn(value, key),
    /** Returns plain data for JSON. Accepts any value and never throws. */
    redact: (value: unknown, key?: string) => redact(value, key),
  }
}

export type Redactor = ReturnType<typeof createRedactor>

const isActor = (value: object): value is { id: string } => 'sessionId' in value && 'getSnapshot' in value
const isMachine = (value: object): value is { id: string } => 'implementations' in value && 'root' in value
const isSnapshot = (
  value: object,
): value is { machine: { id: string }; value: unknown; status: string; context: unknown } =>
  'machine' in value && 'value' in value && 'context' in value
