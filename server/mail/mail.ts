import { createTransport } from 'nodemailer'

const timeout = 10_000

export type Mail = {
  /** Sends one message. Throws if the mail server does not take it within about 10 s a step. */
  send(message: { to: string[]; subject: string; text: string }): Promise<void>
}

/** Sends mail by an SMTP server: `smtps://user:password@host:465` or `smtp://…`, which uses STARTTLS where offered. */
export function createMail({ url, from }: { url: string; from: string }): Mail {
  const transport = createTransport(
    { url, connectionTimeout: timeout, greetingTimeout: timeout, socketTimeout: timeout, dnsTimeout: timeout },
    { from },
  )
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ to, subject, text, disableFileAccess: true, disableUrlAccess: true })
    },
  }
}
