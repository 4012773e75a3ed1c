/** A reason not to start. Its message is one sentence for the person at the terminal; main.ts prints it alone. */
export class StartupError extends Error {
  override name = 'StartupError'
}
