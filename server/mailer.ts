import { createTransport } from 'nodemailer'

export type Mailer = {
  /** Resolves when the mail server has taken the e-mail. Rejects after a refusal or 30 s without progress. */
  send(mail: { to: string; subject: string; text: string }): Promise<void>
  close(): void
}

/** Milliseconds. */
const timeout = 10_000

/** Sends e-mails through the mail server of SMTP_URL. At most two connections are open at once. */
export const createMailer = ({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer => {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
  })
  return {
    send: async ({ to, subject, text }) => {
      // An address object is never parsed as a list of addresses.
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    },
    close: () => transport.close(),
  }
}
