/** Loaded before a program (`node --import`): shifts the machine's clock by CLOCK_SHIFT_MS. Timers are not affected. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
const now = () => RealDate.now() + shiftMs
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, created) => Reflect.construct(target, given.length === 0 ? [now()] : given, created),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
