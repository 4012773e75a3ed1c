import { Fragment } from 'react'

/** What is known of a client, one after the other; none is broken where a line ends between two. */
export function ClientFacts({ facts }: { facts: readonly string[] }) {
  return facts.map((fact, index) => (
    <Fragment key={fact}>
      {index > 0 && ' · '}
      <bdi className="inline-block max-w-full [overflow-wrap:anywhere]">{fact}</bdi>
    </Fragment>
  ))
}
