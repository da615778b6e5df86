import { type Job, play } from './play.ts'

// One process of several: plays what it is sent, one after the other.
process.on('message', (job: Job) => {
  void play(job).then((told) => process.send?.(told))
})
