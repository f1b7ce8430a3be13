"""What annotation tools export."""
