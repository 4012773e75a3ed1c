/** The path of a client's page (spec section 2, Quick Actions). */
export const clientPagePath = (clientId: string): string => `/clients/${encodeURIComponent(clientId)}`

/** Opens the client's page in a new tab. */
export function openClientPage(clientId: string): void {
  window.open(clientPagePath(clientId), '_blank', 'noopener')
}
