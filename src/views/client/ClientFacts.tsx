/** What is known of a client, one after the other. Where a line ends between two, no separator is left at either side. */
export function ClientFacts({ facts }: { facts: readonly string[] }) {
  return (
    <span className="block overflow-hidden">
      {/* What begins a line has its separator outside, where it is cut off. */}
      <span className="-ml-4 flex flex-wrap">
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two facts may be the same word
          <span key={index} className="flex max-w-full">
            <span className="w-4 shrink-0 whitespace-pre text-center">{index > 0 && ' · '}</span>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{fact}</bdi>
          </span>
        ))}
      </span>
    </span>
  )
}
