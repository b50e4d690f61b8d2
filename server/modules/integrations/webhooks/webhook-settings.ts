/** What a process knows about webhooks apart from its database. */
export interface WebhookSettings {
  /** The key that endpoint secrets are sealed with. */
  key: Buffer
  /** WEBHOOK_ALLOW_LOOPBACK */
  allowsLoopback: boolean
}
