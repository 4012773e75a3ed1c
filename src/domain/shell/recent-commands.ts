const recentCommandLimit = 5

/** The ids of the chosen commands with this one, the last chosen first. */
export const withCommand = (recent: readonly string[], id: string): readonly string[] =>
  [id, ...recent.filter((other) => other !== id)].slice(0, recentCommandLimit)
