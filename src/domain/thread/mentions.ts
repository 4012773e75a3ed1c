import type { TeamMember } from '../../schemas/conversation-state.ts'

type Named = Pick<TeamMember, 'id' | 'name'>

const plain = (text: string): string => text.normalize('NFC').toLocaleLowerCase()

/** The ids of the members whose name follows an @ in the text. Of names that begin alike, the longest counts. */
export function mentionsIn(text: string, members: readonly Named[]): string[] {
  const longestFirst = members
    .map(({ id, name }) => ({ id, name: plain(name.trim()) }))
    .filter(({ name }) => name !== '')
    .sort((one, other) => other.name.length - one.name.length)
  const found = new Set<string>()
  for (const part of plain(text).split('@').slice(1)) {
    const member = longestFirst.find(
      ({ name }) => part.startsWith(name) && !/^[\p{L}\p{N}]/u.test(part.slice(name.length)),
    )
    if (member !== undefined) found.add(member.id)
  }
  return [...found].sort()
}

/** The unfinished mention before the caret, without its @; null if there is none. */
const unfinishedMention = (text: string, caret: number): string | null =>
  /(?:^|\s)@([^@\n]{0,40})$/u.exec(text.slice(0, caret))?.[1] ?? null

/** The members that the mention before the caret may mean. */
export function mentionCandidates<Member extends Named>(
  text: string,
  caret: number,
  members: readonly Member[],
  limit = 5,
): Member[] {
  const typed = unfinishedMention(text, caret)
  if (typed === null) return []
  const wanted = plain(typed)
  return members
    .filter(({ name }) => plain(name).startsWith(wanted) && plain(name) !== wanted.trimEnd())
    .slice(0, limit)
}

/** The text with the mention before the caret completed, and the caret after it. */
export function withMention(text: string, caret: number, { name }: Named): { text: string; caret: number } {
  const typed = unfinishedMention(text, caret) ?? ''
  const before = `${text.slice(0, caret - typed.length)}${name} `
  return { text: before + text.slice(caret), caret: before.length }
}
