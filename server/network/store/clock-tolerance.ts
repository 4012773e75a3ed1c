/** How far our clock and the network's may differ, with the network's times in whole seconds. Milliseconds. */
export const clockTolerance = 5_000

/** An echo without our key settles a send of the same content that was created at most this long before it. Milliseconds. */
export const echoWindow = 120_000
