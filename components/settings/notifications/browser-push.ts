const WORKER = '/push.js'

/** Why push can't be turned on in this browser. */
export class PushRefused extends Error {
  readonly reason: 'denied' | 'pushFailed'
  constructor(reason: PushRefused['reason'], options?: ErrorOptions) {
    super(reason, options)
    this.reason = reason
  }
}

/** Whether this browser has push turned on. */
export async function readSubscription(): Promise<'on' | 'off' | 'unsupported'> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'unsupported'
  return (await findSubscription()) ? 'on' : 'off'
}

async function findSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER)
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Asks for permission, and subscribes this browser at its push service. Fails with PushRefused. */
export async function turnPushOn(key: string): Promise<{ endpoint: string; keys: { p256dh: string; auth: string } }> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused('denied')
  const { endpoint, keys: { p256dh = '', auth = '' } = {} } = (await subscribe(key)).toJSON()
  return { endpoint: endpoint ?? '', keys: { p256dh, auth } }
}

async function subscribe(key: string): Promise<PushSubscription> {
  try {
    await navigator.serviceWorker.register(WORKER)
    const { pushManager } = await navigator.serviceWorker.ready
    // One that was made with an earlier key of the network can't be used with this one.
    await (await pushManager.getSubscription())?.unsubscribe()
    return await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
  } catch (error) {
    throw new PushRefused('pushFailed', { cause: error })
  }
}

/** Unsubscribes this browser. Returns the address that it had, if it was subscribed. */
export async function turnPushOff(): Promise<string | undefined> {
  const subscription = await findSubscription()
  await subscription?.unsubscribe()
  return subscription?.endpoint
}
