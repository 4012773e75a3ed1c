import { safeName } from '../domain/shown-text.ts'
import { selectPresent } from '../machines/thread/presence.ts'
import { t } from '../texts/thread-on-demand.ts'
import { useTeam } from './use-inbox.ts'
import { usePart } from './use-part.ts'
import { useSelector } from './use-selector.ts'

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
