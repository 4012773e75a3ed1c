import type { TeamMember } from '../../schemas/conversation-state.ts'

/** The members as they are offered: the person first, then the others by name. */
export const membersInOrder = (team: readonly TeamMember[], userId: string): readonly TeamMember[] => [
  ...team.filter(({ id }) => id === userId),
  ...team.filter(({ id }) => id !== userId).toSorted((a, b) => a.name.localeCompare(b.name)),
]
