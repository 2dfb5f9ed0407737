"""What somebody writes in ten minutes: FastAPI around a model, each request by itself in the thread pool."""

import json
import sys
from typing import Any

import uvicorn
from bench.sides.serving import python_call
from fastapi import FastAPI
from pydantic import BaseModel


class Embed(BaseModel):
    inputs: str


class Translate(BaseModel):
    q: str
    source: str
    target: str


def main() -> None:
    job: dict[str, Any] = json.loads(sys.argv[1])
    app, call = FastAPI(), python_call(job)

    @app.get("/readyz")
    def ready() -> dict[str, bool]:
        return {"ready": True}

    @app.post("/embed")
    def embed(request: Embed) -> list[list[float]]:
        return call([request.inputs])

    @app.post("/translate")
    def translate(request: Translate) -> dict[str, str]:
        return {"translatedText": call([request.q])[0]}

    uvicorn.run(app, port=job["port"], log_level="error")


if __name__ == "__main__":
    main()
