# The product with its operator CLI, built in one stage and run without root in another. `npm run docker:steps` runs these steps
# without Docker.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY tsconfig.json tsconfig.base.json vite.config.ts vite.prerender.config.ts vite.back-office.config.ts vite.server.config.ts ./
COPY src ./src
COPY scripts ./scripts
COPY data ./data
COPY docs/generated/no-control.md ./docs/generated/no-control.md
RUN npm run build
RUN npm prune --omit=dev

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 FAIRWICK_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app ./
# 1000 is the user `node` of the image. A new volume gets the owner of this folder.
RUN mkdir -p "$FAIRWICK_DATA_DIR" && chown 1000:1000 "$FAIRWICK_DATA_DIR"
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=64", "dist/server/main.mjs"]
