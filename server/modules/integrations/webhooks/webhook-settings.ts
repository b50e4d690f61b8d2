/** What a process knows about webhooks beside its database. */
export interface WebhookSettings {
  /** What secrets of endpoints are sealed with. */
  key: Buffer
  /** WEBHOOK_ALLOW_LOOPBACK */
  allowsLoopback: boolean
}
