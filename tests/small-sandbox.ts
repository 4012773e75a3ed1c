/** Settings of a server whose sandbox has few people who write nothing by themselves: filling the usual one takes longer. */
export const smallSandbox = { SANDBOX_LIVELINESS: 'still', SANDBOX_PEOPLE: '50' }
