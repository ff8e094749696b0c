/** A process of a pool: it says who it is, or works for ever. */
process.on('message', (message) => {
  if (message === 'loop') for (;;);
  process.send?.({
    pid: process.pid,
    settings: Object.keys(process.env).filter((name) => !/^(NODE_|__)/.test(name)),
  })
})
process.send?.('ready')
