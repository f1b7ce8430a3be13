"""What annotation tools export."""

__all__ = ["doccano", "labelstudio", "prodigy"]
