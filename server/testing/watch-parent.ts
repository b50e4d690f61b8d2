import { Socket } from 'node:net'

/** Imported before a program that a test runs: its fourth stream ends with the process that started it, however that ends. */
const parent = new Socket({ fd: 3 })
parent.on('error', () => undefined)
// An embedded database is ended as well.
parent.once('close', () => process.kill(process.pid, 'SIGTERM'))
parent.resume().unref()
