/** What stands there until it is known who is signed in, or until a page has loaded. Silent for the first moment. */
export function Splash({ note, why }: { note?: string | null; why?: string | null }) {
  return (
    <div role="status" aria-busy="true" className="grid min-h-dvh place-items-center p-6">
      <div className="splash grid justify-items-center gap-3 text-center">
        <img src="/icon.svg" alt="" width={40} height={40} className="animate-breathe" />
        <p className="text-ink-2">{note ?? 'Loading…'}</p>
        {why && <p className="text-ink-2 text-xs [overflow-wrap:anywhere]">{why}</p>}
      </div>
    </div>
  )
}
