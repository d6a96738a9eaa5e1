# Weir: worker, service and archive in one image; which of them runs is the command, as `weir worker`.
#
#   docker build --build-arg VERSION=0.1.0 --build-arg REVISION=$(git rev-parse HEAD) --tag weir:0.1.0 .
#
# Pin the base by its digest where images are built for production: --build-arg NODE_IMAGE=node:24...@sha256:...
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# No package that ships needs an install script.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/build.mjs scripts/
COPY src src
RUN node scripts/build.mjs

FROM ${NODE_IMAGE} AS packages
WORKDIR /packages
COPY package.json package-lock.json .npmrc ./
# The packages that bring Node itself go: the image has it. Other optional ones stay.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/node-linux-* node_modules/node-bin-* node_modules/node-darwin-* node_modules/node-win-* \
     node_modules/.bin/node

FROM ${NODE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="weir" \
  org.opencontainers.image.description="Screens blockchain addresses and transactions that flow through Kafka" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${REVISION}"
# The heap takes three quarters of what the container may use. Inside of a container, loopback is nobody's network. The C
# library keeps up to 20 MiB less for itself when its threads share two pools and it gives back what is free early. One
# thread beside the main one collects garbage, and not four: where a container has one or two cores they mostly wait for each
# other, and the main one for them (bench/results/README.md, "A file through weir screen").
ENV NODE_ENV=production \
  NODE_OPTIONS="--max-old-space-size-percentage=75 --v8-pool-size=1" \
  MALLOC_ARENA_MAX=2 \
  MALLOC_TRIM_THRESHOLD_=131072 \
  HOST=0.0.0.0 \
  ADMIN_HOST=0.0.0.0
WORKDIR /app
COPY package.json LICENSE NOTICE openapi.json ./
COPY data data
COPY demo demo
COPY --from=packages /packages/node_modules node_modules
COPY --from=build /build/dist dist
RUN ln -s /app/dist/cli/weir.js /usr/local/bin/weir
# Nothing in the image belongs to this user, and the root file system may be read-only.
USER 1000:1000
EXPOSE 8080 9464
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 CMD ["weir", "health"]
ENTRYPOINT ["weir"]
CMD ["--help"]
