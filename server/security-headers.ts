import { secureHeaders } from 'hono/secure-headers'

/**
 * Security headers of every response. Scripts are allowed from this origin only, pictures and media from any https
 * origin, because the network serves them from many hosts. `connectTo`: other origins that the application calls.
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
      workerSrc: [own],
      manifestSrc: [own],
      requireTrustedTypesFor: ["'script'"],
      // The one policy of the application, for the address of the service worker (src/services/shell/web-push.ts).
      trustedTypes: ['service-worker'],
    },
    // Voice notes are recorded in the application.
    permissionsPolicy: { camera: [], microphone: ['self'], geolocation: [], payment: [] },
    referrerPolicy: 'no-referrer',
    xFrameOptions: 'DENY',
    // TLS ends at a proxy, which sets this header itself.
    strictTransportSecurity: false,
    // Stored files have a stricter policy.
    overwrite: false,
  })
}

/** For responses outside the application: during start-up, to malformed requests and to rejected sockets. */
export const defaultSecurityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

function socketOrigin(url: string): string {
  return new URL(url).origin.replace(/^http/, 'ws')
}
