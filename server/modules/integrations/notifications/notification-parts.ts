/** What a process knows about notifications apart from its database. */
export interface NotificationParts {
  /** Seals the password of the mail server and other secrets of the channels. */
  key: Buffer
  /** Signs the links that stop notifications. */
  linkKey: Buffer
  /** WEBHOOK_ALLOW_LOOPBACK */
  allowsLoopback: boolean
  /** The desk's address, without a slash at its end: links in notifications lead there. */
  deskUrl: string
  /** SMTP_URL and MAIL_FROM, if they are set. */
  smtp: EnvironmentSmtp | undefined
}

export interface EnvironmentSmtp {
  url: string
  from: string
}
