import { use } from 'react'
import type { CompiledCatalogue } from './compiled.ts'

/** Where the server keeps the function that finds messages by their path: pages and components are bundled apart, in one process. */
export const MESSAGES_ON_SERVER = Symbol.for('docket.messages')

const LOAD_AGAIN_AFTER_MS = 1_000
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
    // A later attempt loads them again; React's own, which follows at once, fails and shows the error.
    messages.catch(() => setTimeout(() => loading.delete(path), LOAD_AGAIN_AFTER_MS))
  }
  return messages
}

async function read(path: string): Promise<CompiledCatalogue> {
  let answer = await fetch(path)
  if (answer.status === 404) {
    const [language] = path.slice(path.lastIndexOf('/') + 1).split('.')
    answer = await fetch(`/catalogue/${language}`)
  }
  if (!answer.ok) throw new Error(`The messages were not loaded: ${answer.status}`)
  return answer.json()
}
