import { setImmediate } from 'node:timers/promises'

/** How many nodes are built before others have their turn: a few milliseconds. */
const NODES_A_TURN = 2_500

/**
 * Aho and Corasick's automaton: finds many words in one pass over a text. It is built in turns, so that other requests of the process wait no longer
 * than a few milliseconds, and takes 18 bytes for each letter (UTF-16 unit) of the words. Nodes are numbered from the root outwards, so the children
 * of each stand side by side, in the order of their letters.
 */
export class Automaton {
  private readonly letters: Uint16Array
  /** The first child; the next node's first child is where they end. */
  private readonly children: Int32Array
  /** The node of the longest end of what a node stands for that words begin with; */
  private readonly ends: Int32Array
  /** of these, the longest that is a word: 0 for none. */
  private readonly shorter: Int32Array
  /** The word that a node is, from 1. */
  private readonly wordAt: Int32Array

  private constructor(size: number) {
    this.letters = new Uint16Array(size)
    this.children = new Int32Array(size + 1)
    this.ends = new Int32Array(size)
    this.shorter = new Int32Array(size)
    this.wordAt = new Int32Array(size)
  }

  /** Of these words: each once, none empty, in the order of `sort()`. */
  static async of(words: readonly string[]): Promise<Automaton> {
    const size = 1 + words.reduce((sum, word) => sum + word.length, 0)
    const automaton = new Automaton(size)
    /** The words that begin with what a node stands for, and its length. */
    const [from, to, lengths] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)]
    to[0] = words.length
    let count = 1
    for (let node = 0; node < count; node += 1) {
      if (node % NODES_A_TURN === NODES_A_TURN - 1) await setImmediate()
      const [length, last] = [lengths[node] ?? 0, to[node] ?? 0]
      let at = from[node] ?? 0
      if (words[at]?.length === length) {
        at += 1
        automaton.wordAt[node] = at
      }
      automaton.begin(node, count)
      while (at < last) {
        const letter = words[at]?.charCodeAt(length) ?? 0
        from[count] = at
        while (at < last && words[at]?.charCodeAt(length) === letter) at += 1
        to[count] = at
        lengths[count] = length + 1
        automaton.addChild(count, letter, node)
        count += 1
      }
      automaton.children[node + 1] = count
    }
    return automaton
  }

  /** Calls back with the number of each word that ends at a place of the text, the longest first, until it answers false. */
  find(text: string, onFound: (word: number, end: number) => boolean): void {
    let node = 0
    for (let at = 0; at < text.length; at += 1) {
      node = this.next(node, text.charCodeAt(at))
      for (let found = this.longestWord(node); found !== 0; found = this.shorter[found] ?? 0)
        if (!onFound((this.wordAt[found] ?? 0) - 1, at + 1)) return
    }
  }

  private begin(node: number, firstChild: number): void {
    this.children[node] = firstChild
    this.shorter[node] = this.longestWord(this.ends[node] ?? 0)
  }

  private addChild(child: number, letter: number, parent: number): void {
    this.letters[child] = letter
    // What is one letter long ends in nothing shorter.
    if (parent !== 0) this.ends[child] = this.next(this.ends[parent] ?? 0, letter)
  }

  private longestWord(node: number): number {
    return this.wordAt[node] === 0 ? (this.shorter[node] ?? 0) : node
  }

  /** The node of the longest end, with this letter, that words begin with. */
  private next(node: number, letter: number): number {
    for (let at = node; ; at = this.ends[at] ?? 0) {
      const child = this.childOf(at, letter)
      if (child !== 0 || at === 0) return child
    }
  }

  private childOf(node: number, letter: number): number {
    const end = this.children[node + 1] ?? 0
    let [low, high] = [this.children[node] ?? 0, end]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.letters[middle] ?? 0) < letter) low = middle + 1
      else high = middle
    }
    return low < end && this.letters[low] === letter ? low : 0
  }
}
