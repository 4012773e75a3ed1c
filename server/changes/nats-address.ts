/** How NATS is reached. */
export type NatsAddress = {
  /** host:port */
  servers: string[]
  credentials: { user: string; pass: string } | { token: string } | Record<string, never>
  needsTls: boolean
}

/**
 * Reads a comma-separated list of `nats://user:password@host:port`, `nats://token@host` or `tls://…`. The credentials of
 * the first address serve for all, and if one is `tls://`, all are. Null if it is not such a list.
 */
export function readNatsAddress(text: string): NatsAddress | null {
  const urls = text.split(',').map((part) => URL.parse(part.trim()))
  const servers: string[] = []
  for (const url of urls) {
    if (url === null || !/^(nats|tls):$/.test(url.protocol) || url.hostname === '') return null
    if (!['', '/'].includes(url.pathname) || url.search !== '' || url.hash !== '') return null
    servers.push(`${url.hostname}:${url.port || '4222'}`)
  }
  const [first] = urls
  const credentials = first === undefined || first === null ? null : credentialsOf(first)
  if (credentials === null) return null
  return { servers, credentials, needsTls: urls.some((url) => url?.protocol === 'tls:') }
}

function credentialsOf({ username, password }: URL): NatsAddress['credentials'] | null {
  try {
    const user = decodeURIComponent(username)
    if (user === '') return {}
    return password === '' ? { token: user } : { user, pass: decodeURIComponent(password) }
  } catch {
    return null
  }
}
