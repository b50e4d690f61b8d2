/** `offline` is what the browser reports; `reconnecting` is every other state that isn't live. */
export type Connection = 'connecting' | 'live' | 'reconnecting' | 'offline'
