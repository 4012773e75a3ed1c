/** Settings of a server with a small sandbox, which is filled faster. Its people write only when a test makes them write. */
export const smallSandbox = { SANDBOX_LIVELINESS: 'still', SANDBOX_PEOPLE: '20' }
