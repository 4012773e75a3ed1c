/** Whether shortcuts use the key ⌘ in place of Ctrl. */
export const isApple = (): boolean => /^(Mac|iP)/.test(navigator.platform)
