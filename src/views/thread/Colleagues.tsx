import { safeName } from '../../domain/shown-text.ts'
import { selectPresent } from '../../machines/thread/presence.ts'
import { t } from '../../texts/thread-on-demand.ts'
import { Avatar } from '../components/Avatar.tsx'
import { useTeam } from '../use-inbox.ts'
import { useSelector } from '../use-selector.ts'
import { usePart } from './use-colleagues.ts'

const none: ReturnType<typeof selectPresent> = []
const sameList = (one: typeof none, other: typeof none) => JSON.stringify(one) === JSON.stringify(other)

/** The colleagues who look at the open conversation, with their names as far as they are known. */
export function usePresent(): { id: string; name: string; isTyping: boolean }[] {
  const team = useTeam()
  const present = useSelector(usePart('presence'), (snapshot) => (snapshot ? selectPresent(snapshot) : none), sameList)
  return present.map(({ staffId, isTyping }) => {
    const name = team.find(({ id }) => id === staffId)?.name
    return { id: staffId, name: name === undefined ? t('thread.aColleague') : safeName(name), isTyping }
  })
}

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
