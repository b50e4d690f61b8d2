import type { CompiledMessage } from 'icu-minify/format'

type Node = Exclude<CompiledMessage, string>[number]

const [START, END] = ['\u2068', '\u2069']

/**
 * Puts each name, time and text that a message is given into an isolate, as `bdi` does: beside a name in Latin letters, a number of an Arabic
 * sentence would otherwise be read as part of the name. What is the whole message stays as it is.
 */
export function isolateArguments(message: CompiledMessage): CompiledMessage {
  if (typeof message === 'string') return message
  return message.length === 1 && isArgument(message[0]) ? message : message.flatMap(isolate)
}

function isolate(node: Node): Node[] {
  if (!Array.isArray(node)) return [node]
  if (isArgument(node)) return [START, node, END]
  const [name, type, ...rest] = node
  // A number or a date, which is formatted in the message's own language, or a choice.
  if (typeof type === 'number' && type !== POUND) {
    const [options] = rest
    return [(type === SELECT || isPlural(type) ? [name, type, isolateOptions(options)] : node) as Node]
  }
  const children = [type, ...rest] as Node[]
  return [[name, ...children.flatMap(isolate)] as Node]
}

/** The numbers of icu-minify for kinds of nodes. */
const [POUND, SELECT, PLURAL, ORDINAL] = [0, 1, 2, 3]
const isPlural = (type: number) => type === PLURAL || type === ORDINAL

const isArgument = (node: Node | undefined): boolean => Array.isArray(node) && node.length === 1

function isolateOptions(options: unknown): Record<string, unknown> {
  const entries = Object.entries(options as Record<string, Node | Node[]>)
  return Object.fromEntries(
    entries.map(([key, option]) => [key, Array.isArray(option) ? (option as Node[]).flatMap(isolate) : option]),
  )
}
