import { t } from '../../texts/thread-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { usePresent } from '../use-present.ts'

const names = new Intl.ListFormat(undefined, { type: 'conjunction' })
const maxFaces = 3

/** The faces of the colleagues who look at the open conversation. */
export default function Colleagues() {
  const present = usePresent()
  const label =
    present.length === 0
      ? ''
      : t('thread.looking', { count: present.length, names: names.format(present.map(({ name }) => name)) })
  return (
    <p role="status" title={label} className="flex shrink-0 items-center -space-x-1.5">
      <span className="sr-only">{label}</span>
      {present.slice(0, maxFaces).map(({ id, name, isTyping }) => (
        <span key={id} className={isTyping ? 'rounded-full ring-2 ring-warn' : 'rounded-full ring-2 ring-panel'}>
          <Avatar name={name} size="sm" />
        </span>
      ))}
      {present.length > maxFaces && (
        <span aria-hidden="true" className="pl-2.5 text-2xs text-ink-2">
          +{present.length - maxFaces}
        </span>
      )}
    </p>
  )
}
