import { type InformedJob, type Job, play, playInformedJob } from './run-life.ts'

// One process of several: plays what it is sent, one after the other.
process.on('message', (job: Job | InformedJob) => {
  const played = 'lateMs' in job ? playInformedJob(job) : play(job)
  void played.then((told) => process.send?.(told))
})
