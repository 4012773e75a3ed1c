/** Prevents the start. Its message is for the operator; main.ts prints it without a stack trace. */
export class StartupError extends Error {
  override name = 'StartupError'
}
