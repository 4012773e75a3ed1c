/** How far our clock and the network's may differ, with the network's times in whole seconds. Milliseconds. */
export const clockTolerance = 5_000
