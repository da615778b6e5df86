import {
  type InformedJob,
  type InformedSellersJob,
  type Job,
  play,
  playInformedJob,
  playInformedSellers,
} from './run-life.ts'

// One worker process: runs the jobs it is sent, one after another.
process.on('message', (job: Job | InformedJob | InformedSellersJob) => {
  const played = 'lateMs' in job ? playInformedJob(job) : 'leadMs' in job ? playInformedSellers(job) : play(job)
  void played.then((report) => process.send?.(report))
})
