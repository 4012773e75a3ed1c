import { secureHeaders } from 'hono/secure-headers'

/**
 * The headers that keep a hostile page, name or attachment from acting in the inbox. Scripts come from this origin
 * alone; pictures and media come from wherever the network keeps them. `connectTo` are the origins the page may call.
 */
export function securityHeaders(connectTo: string[]) {
  const own = "'self'"
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: [own],
      scriptSrc: [own],
      // The toaster writes its own style element.
      styleSrc: [own, "'unsafe-inline'"],
      connectSrc: [own, ...connectTo.flatMap((url) => [new URL(url).origin, socketOrigin(url)])],
      imgSrc: [own, 'data:', 'blob:', 'https:'],
      mediaSrc: [own, 'data:', 'blob:', 'https:'],
      fontSrc: [own, 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: [own],
      frameAncestors: ["'none'"],
      // No text becomes markup or code: the pages make no policy that could let one through.
      requireTrustedTypesFor: ["'script'"],
      trustedTypes: ["'none'"],
    },
    permissionsPolicy: { camera: [], microphone: [], geolocation: [], payment: [] },
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    // What encrypts the connection, if anything does, stands before this server and says so itself.
    strictTransportSecurity: false,
  })
}

/** The headers of answers that no application gives: before there is one, and to what is no request or is refused. */
export const bareAnswerHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

function socketOrigin(url: string): string {
  return new URL(url).origin.replace(/^http/, 'ws')
}
