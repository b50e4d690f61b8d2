/** Arguments of Node that end a program with the process that started it, however that ends. Its fourth stream has to be a pipe. */
export const END_WITH_PARENT = ['--import', new URL('watch-parent.ts', import.meta.url).href]
