/** The known facts about a client in one row. At a line break no separator remains on either side. */
export function ClientFacts({ facts }: { facts: readonly string[] }) {
  return (
    <span className="block overflow-hidden">
      {/* The separator of the first fact in a line lies outside the box and is cut off. */}
      <span className="-ml-4 flex flex-wrap">
        {facts.map((fact, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same text
          <span key={index} className="flex max-w-full">
            <span className="w-4 shrink-0 whitespace-pre text-center">{index > 0 && ' · '}</span>
            <bdi className="min-w-0 [overflow-wrap:anywhere]">{fact}</bdi>
          </span>
        ))}
      </span>
    </span>
  )
}
