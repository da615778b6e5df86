import { type InformedJob, type Job, play, playInformedJob } from './run-life.ts'

// One worker process: runs the jobs it is sent, one after another.
process.on('message', (job: Job | InformedJob) => {
  const played = 'lateMs' in job ? playInformedJob(job) : play(job)
  void played.then((report) => process.send?.(report))
})
