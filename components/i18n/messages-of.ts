import { use } from 'react'
import type { CompiledCatalogue } from './compiled.ts'

/** Where the server keeps the function that finds messages by their path: pages and components are bundled apart, in one process. */
export const MESSAGES_ON_SERVER = Symbol.for('docket.messages')

const loading = new Map<string, Promise<CompiledCatalogue>>()

/** The messages of a language by the path of their file. In a browser it suspends until they are loaded, once per visit. */
export function useMessagesOf(path: string): CompiledCatalogue {
  if (typeof window !== 'undefined') return use(load(path))
  const find = (globalThis as { [MESSAGES_ON_SERVER]?: (path: string) => CompiledCatalogue })[MESSAGES_ON_SERVER]
  if (!find) throw new Error('The pages run outside the server of Docket.')
  return find(path)
}

function load(path: string): Promise<CompiledCatalogue> {
  let messages = loading.get(path)
  if (!messages) {
    messages = read(path)
    loading.set(path, messages)
    // The next attempt loads them again.
    messages.catch(() => loading.delete(path))
  }
  return messages
}

async function read(path: string): Promise<CompiledCatalogue> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`The messages were not loaded: ${answer.status}`)
  return answer.json()
}
