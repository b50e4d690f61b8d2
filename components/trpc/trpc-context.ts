import { trpc, trpcClient } from './trpc.ts'

/** The same for everyone, as the calls depend on no state of the page. */
export const useTRPC = () => trpc
export const useTRPCClient = () => trpcClient
