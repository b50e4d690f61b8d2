/**
 * A host of ASCII in the letters it was registered in, as `domainToUnicode` of `node:url`, which browsers lack. Expects the host of a `URL`: its labels
 * are valid.
 */
export function toUnicode(domain: string): string {
  return domain
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decodePunycode(label.slice('xn--'.length)) : label))
    .join('.')
}

/** The parameters of Punycode in RFC 3492, section 5. */
const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128

/** RFC 3492, section 6.2. */
function decodePunycode(encoded: string): string {
  const delimiter = encoded.lastIndexOf('-')
  const decoded = [...encoded.slice(0, Math.max(0, delimiter))]
  let [n, i, bias, at] = [INITIAL_N, 0, INITIAL_BIAS, delimiter + 1]
  while (at < encoded.length) {
    const before = i
    let weight = 1
    for (let k = BASE; at < encoded.length; k += BASE) {
      const digit = digitOf(encoded.charAt(at))
      at += 1
      i += digit * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    const length = decoded.length + 1
    bias = adapt(i - before, length, before === 0)
    n += Math.floor(i / length)
    i %= length
    decoded.splice(i, 0, String.fromCodePoint(n))
    i += 1
  }
  return decoded.join('')
}

/** a to z are 0 to 25, and 0 to 9 are 26 to 35. */
const digitOf = (sign: string) => 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(sign)

/** RFC 3492, section 6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
